/** @returns the same machine at the recorder's port with sign-in, or `undefined` if the address has that port or no host */
export function saferAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!url.protocol.startsWith('http') || url.port === '8971') return undefined;
  return `http://${url.hostname}:8971`;
}
