// Runs before the first paint: the reader's choice of light or dark, else what the system says.
(() => {
    const root = document.documentElement;
    const kept = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
    const keep = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* private mode */ } };
    const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
    if (kept() === "light" || kept() === "dark") root.dataset.theme = kept();

    document.addEventListener("DOMContentLoaded", () => {
        const button = document.querySelector("[data-theme-switch]");
        if (!button) return;
        button.hidden = false;
        button.addEventListener("click", () => {
            const now = root.dataset.theme ?? (dark() ? "dark" : "light");
            root.dataset.theme = now === "dark" ? "light" : "dark";
            keep(root.dataset.theme);
            root.dispatchEvent(new CustomEvent("themechange"));
        });
    });
})();
