/** Opens the tab that holds the heading of the address. */
export function showPart() {
  const heading = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = heading?.closest(".parts .vp-block:not(.active)");
  if (!part) return;
  const place = [...part.parentElement.children].indexOf(part);
  part.closest(".parts").querySelectorAll(".tabs input")[place].click();
  heading.scrollIntoView();
}
