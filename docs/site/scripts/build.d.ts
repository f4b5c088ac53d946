/** What the build puts before the scripts of workers, and what it puts into scripts. */

declare const BUILD: { version: string; files: string[]; reading: string[]; lock: string; bytes: number };

/** Python as the head of a page has begun it, and what its worker has said since. */
interface Window {
  begun?: { worker: Worker; heard: (MessageEvent | ErrorEvent)[]; at: number };
}

declare module "*.py" {
  const text: string;
  export default text;
}

/** What can be typed for signs and Greek letters: SPELLINGS of cpl/editors/completion.py. */
declare module "spellings.json" {
  const spellings: { typed: string; text: string; words: string }[];
  export default spellings;
}
