const reserved: ReadonlySet<string> = new Set(['admin', 'viewer', 'none']);

/** Whether no custom role can have this name, in any letter case: it has a meaning already. */
export function isReservedRole(name: string): boolean {
  return reserved.has(name.toLowerCase());
}
