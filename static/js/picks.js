// Says how many runs are picked. Without this script the form works the same.
const form = document.querySelector("[data-picks]");
const count = form?.querySelector("[data-pick-count]");
const update = () => {
    const picked = new Set(new FormData(form).getAll("runs")).size;
    count.textContent = count.dataset[picked === 0 ? "none" : picked === 1 ? "one" : "many"].replace("{n}", picked);
};
if (form && count) {
    form.addEventListener("change", update);
    addEventListener("pageshow", update);
    update();
}
