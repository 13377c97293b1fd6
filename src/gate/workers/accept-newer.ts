/**
 * What several processes read arrives in any order. What was read later knows of what was read earlier, so that it wins.
 * @returns says whether something was read later than everything before
 */
export function acceptNewer(): (readAt: bigint) => boolean {
  let latest = -1n;
  return (readAt) => {
    const isNewer = readAt > latest;
    if (isNewer) latest = readAt;
    return isNewer;
  };
}
