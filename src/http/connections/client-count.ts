/** Counts by client; clients with a count of zero take no memory. */
export interface ClientCount {
  of(client: string): number;
  total(): number;
  /** @returns how many the client has now */
  add(client: string, change: 1 | -1): number;
}

export function createClientCount(): ClientCount {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    of: (client) => counts.get(client) ?? 0,
    total: () => total,
    add: (client, change) => {
      total += change;
      const count = (counts.get(client) ?? 0) + change;
      if (count === 0) counts.delete(client);
      else counts.set(client, count);
      return count;
    },
  };
}
