/** The parts of a resource's URN that matter here: `urn:pulumi:stack::project::parent$type::name`. */
export function parseUrn(urn: string): { readonly type: string; readonly name: string } {
  const [, , types = "", ...name] = urn.split("::");
  // A name may hold colons itself.
  return { type: types.split("$").at(-1) ?? "", name: name.join("::") };
}
