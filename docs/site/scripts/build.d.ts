/** What the build puts before the scripts of workers, and texts that it puts into them. */

declare const BUILD: { version: string; files: string[]; lock: string; bytes: number };

declare module "*.py" {
  const text: string;
  export default text;
}
