from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from runs.models import User


@admin.register(User)
class LikewiseUserAdmin(UserAdmin):  # type: ignore[type-arg]
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Likewise", {"fields": ("role", "language")}))
    list_display = ("username", "role", "language", "is_active", "last_login")
    list_filter = ("role", "is_active")
