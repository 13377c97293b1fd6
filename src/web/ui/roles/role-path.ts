import { gatePath } from '../../path-prefix.ts';

/** @param add cameras that the page offers to add */
export function rolePath(name: string, add: readonly string[] = []): string {
  const path = gatePath(`/settings/access/${encodeURIComponent(name)}`);
  return add.length === 0 ? path : `${path}?${new URLSearchParams({ add: add.join(',') }).toString()}`;
}

export function usersOfRole(role: string): string {
  return `${gatePath('/settings/users')}?${new URLSearchParams({ role }).toString()}`;
}
