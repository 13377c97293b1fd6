/** @returns the address of a recorder: users type what they open it with, a name and a port */
export function typedAddress(typed: string): string {
  const address = typed.trim();
  return /^(?:https?:\/\/|unix:)/i.test(address) ? address : `http://${address}`;
}

/** @returns the same machine at the port that asks who there is; undefined: it is that port, or no machine's */
export function saferAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!url.protocol.startsWith('http') || url.port === '8971') return undefined;
  return `http://${url.hostname}:8971`;
}
