// Draws the figures that the server built; only the theme is chosen here.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const theme = () => root.dataset.theme ?? (system.matches ? "dark" : "light");
const plots = [...document.querySelectorAll("[data-chart]")].map((element) => ({
    element,
    figure: JSON.parse(document.getElementById(element.dataset.chart).textContent),
}));

const paint = () => plots.forEach(({ element, figure }) => Plotly.relayout(element, figure.themes[theme()]));

for (const { element, figure } of plots) {
    const narrow = element.clientWidth < 480 ? figure.narrow ?? {} : {};
    Plotly.newPlot(element, figure.data, figure.layout, figure.config).then(() =>
        Plotly.relayout(element, { ...narrow, ...figure.themes[theme()] }).then(() => { element.dataset.drawn = "yes"; }));
}
root.addEventListener("themechange", paint);
system.addEventListener("change", paint);
