// Fills the list of versions from versions.json, which .ci/site.py writes above the folder of each version. A page
// that was built at home, or opened from a file, has no such list and keeps the one version it is of.
document.addEventListener("DOMContentLoaded", async () => {
  const choice = document.getElementById("versions");
  if (!choice || !location.protocol.startsWith("http")) return;
  const root = new URL(document.documentElement.dataset.content_root, location.href);
  const answer = await fetch(new URL("../versions.json", root)).catch(() => null);
  if (!answer || !answer.ok) return;
  const here = decodeURIComponent(root.pathname.replace(/\/$/, "").split("/").pop());
  const page = location.href.slice(root.href.length);
  const versions = await answer.json();
  choice.replaceChildren(...versions.map((name) => new Option(name, name, name === here, name === here)));
  choice.addEventListener("change", async () => {
    const there = new URL(`../${choice.value}/`, root);
    const same = await fetch(new URL(page, there), { method: "HEAD" }).catch(() => null);
    location.assign(same && same.ok ? new URL(page, there) : there);
  });
});
