/** A program in an address: all of it stands behind the #, which no server sees. */

/**
 * @param {{example?: string, text?: string, call?: string, reading: string}} program
 * @returns {Promise<string>}
 */
export async function toAddress({ example, text, call, reading }) {
  const fields = new URLSearchParams();
  if (example) fields.set("example", example);
  if (text !== undefined) fields.set("z", await packed(text));
  if (call) fields.set("call", call);
  if (reading !== "set") fields.set("reading", reading);
  return `#${fields}`;
}

/**
 * @param {string} hash
 * @returns {Promise<{example: string | null, text?: string, call?: string, reading: string[][]} | null>} null for an
 * address without a program
 */
export async function fromAddress(hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const [example, z] = [fields.get("example"), fields.get("z")];
  const text = z === null ? (fields.get("text") ?? undefined) : await unpacked(z).catch(() => undefined);
  if (text === undefined && example === null) return null;
  const reading = fields.get("reading") ?? "";
  const mixture = reading === "arithmetic" ? "and=tight,plusminus=arithmetic,nil=zero" : reading;
  return {
    example,
    text,
    call: fields.get("call") ?? undefined,
    reading: mixture.split(",").map((each) => each.split("=")),
  };
}

/** @param {string} text */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const signs = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}
