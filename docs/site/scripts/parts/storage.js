/** The storage of a browser, which may be full or forbidden. */

/** The storage of a browser, null where it is forbidden. */
export const storageOf = (/** @type {Pick<Window, "localStorage">} */ browser) => attempt(() => browser.localStorage);

/**
 * What an act with the storage gives, null if that is full or forbidden.
 * @template Result
 * @param {() => Result} act
 */
export function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}
