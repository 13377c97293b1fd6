import type { ConfiguredAccess } from '../../policy/role-access.ts';

/** @returns the keys of an access with their values, for the audit and for terminals */
export function accessInWords(access: ConfiguredAccess | null | undefined): string[] {
  return Object.entries(access ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${[value].flat().join(', ')}`],
  );
}
