// Shows the preview in place, so that the browser keeps the chosen files. Without this script the page loads anew.
const form = document.querySelector("[data-upload]");
const place = document.getElementById("preview");

form?.addEventListener("submit", async (event) => {
    if (event.submitter?.name !== "preview") return;
    event.preventDefault();
    event.submitter.disabled = true;
    try {
        const answer = await fetch(form.action, { method: "POST", body: new FormData(form, event.submitter) });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        place.replaceChildren(...(page.getElementById("preview")?.childNodes ?? []));
        place.focus();
    } finally {
        event.submitter.disabled = false;
    }
});
