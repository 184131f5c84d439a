// Applies a filter as soon as it is chosen; the button does the same without this script.
document.querySelector("[data-filters]")?.addEventListener("change", (event) => {
    if (event.target.matches("select")) event.currentTarget.requestSubmit();
});
