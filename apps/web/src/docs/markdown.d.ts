/** The text of the file; next.config.ts says so to the build, vitest.config.ts to the tests. */
declare module "*.md" {
  const text: string;
  export default text;
}
