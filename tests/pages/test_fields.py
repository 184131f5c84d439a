"""The one tag that writes labelled lines of text."""

from dashboard.templatetags.fields import text_field


def test_a_field_tells_its_help_and_keeps_what_was_typed() -> None:
    assert text_field("window.start", "Start", '"><b>', help="UTC", required=True, maxlength=None) == (
        '<div class="field"><label for="window-start">Start</label>'
        '<input id="window-start" name="window.start" value="&quot;&gt;&lt;b&gt;"'
        ' aria-describedby="window-start-help" required="">'
        '<span class="help" id="window-start-help">UTC</span></div>'
    )


def test_zero_is_a_value() -> None:
    assert 'value="0"' in text_field("port", "Port", 0)
