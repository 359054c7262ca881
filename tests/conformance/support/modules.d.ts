declare module "big-list-of-naughty-strings" {
  const texts: readonly string[];
  export default texts;
}

declare module "commonmark-spec" {
  export const tests: readonly { readonly markdown: string; readonly number: number }[];
}
