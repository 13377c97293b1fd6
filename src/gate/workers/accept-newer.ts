/**
 * Versions that several processes have read arrive in any order; the one that was read last wins.
 * @returns whether a version was read later than all before
 */
export function acceptNewer(): (readAt: bigint) => boolean {
  let latest = -1n;
  return (readAt) => {
    const isNewer = readAt > latest;
    if (isNewer) latest = readAt;
    return isNewer;
  };
}
