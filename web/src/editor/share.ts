// Rules as a link or a file. The link holds the whole text, compressed, behind the #: no server ever sees it.

async function pump(text: BlobPart, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const answer = new Response(new Blob([text]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

/** Return a link that opens the editor with these rules. */
export async function link(name: string, text: string): Promise<string> {
  const bytes = await pump(JSON.stringify({ name, text }), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const code = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.origin}/rules#${code}`;
}

/** Return the rules of a link, or null if there are none in the address. */
export async function fromAddress(): Promise<{ name: string; text: string } | null> {
  const code = location.hash.slice(1);
  if (!code) return null;
  try {
    const binary = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder().decode(await pump(bytes, new DecompressionStream("deflate-raw"))));
    if (typeof value !== "object" || value === null || !("text" in value)) return null;
    return { name: "name" in value ? String(value.name) : "my-game", text: String(value.text) };
  } catch {
    return null;
  }
}

/** Let the browser save a text as a file. */
export function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}
