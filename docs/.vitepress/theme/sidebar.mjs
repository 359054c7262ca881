/** A group's title opens it, so the arrow beside it is no button of its own: screen readers take one in another as an error. */
export function simplifyGroups() {
  for (const arrow of document.querySelectorAll(".VPSidebarItem .item[role=button] > .caret")) {
    for (const name of ["role", "tabindex", "aria-label"]) arrow.removeAttribute(name);
  }
}
