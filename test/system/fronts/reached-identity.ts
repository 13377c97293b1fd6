import { headerAlias, type RawHeaders } from '../../../src/policy/raw-headers.ts';

/** Every value of the identity headers that reached the recorder, under any spelling, without those that are empty. */
export function reachedIdentity(rawHeaders: RawHeaders = []): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [, field] = /^remote-(\w+)$/.exec(headerAlias(rawHeaders[i] ?? '')) ?? [];
    const value = rawHeaders[i + 1] ?? '';
    if (field !== undefined && value !== '') (found[field] ??= []).push(value);
  }
  return found;
}
