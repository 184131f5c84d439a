from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


def home(_request: HttpRequest) -> HttpResponse:
    return redirect("runs")
