import type { InferResponseType } from 'hono/client';
import { ApiFailure, bodyOf, codeIn } from '../../api-client.ts';
import { callsBelow } from '../../calls.ts';
import { gatePath } from '../../path-prefix.ts';
import { text } from '../../text.ts';

const api = callsBelow('/postern/api/shares', request);

/** What a share shows, as the gate returns it for the secret. Times are seconds since the epoch. */
export type OpenedShare = Omit<InferResponseType<(typeof api)[':id']['open']['$post'], 200>, 'media'> & {
  /** Paths relative to the page's directory. */
  readonly media: Partial<Record<'video' | 'thumbnail' | 'live' | 'download', string>>;
};

/** @throws ApiFailure */
export function openShare(
  id: string,
  json: { readonly secret: string; readonly password?: string },
): Promise<OpenedShare> {
  return bodyOf(api[':id'].open.$post({ param: { id }, json }));
}

/** @returns the URL of a shared file */
export function mediaAddress(path: string): string {
  return gatePath(`/share/${path}`);
}

/** @returns the response with a shared file. @throws ApiFailure on failure */
export async function readMedia(url: string, signal: AbortSignal): Promise<Response> {
  const response = await request(url, { signal, cache: 'no-store' });
  if (!response.ok) await bodyOf(Promise.resolve(response));
  return response;
}

/** Whether the gate reports that the share is over or does not exist. */
export function isShareOver(error: unknown): boolean {
  return error instanceof ApiFailure && codeIn(error.body) === 'share_over';
}

/** Without the gate's usual error handling, which leads to the login: a visitor with a link has no account. */
async function request(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error' });
  } catch {
    throw new ApiFailure(0, text.progress.noAnswer);
  }
}

const key = 'postern.share';

// Milliseconds that the cookie is valid at most: after that, no media load.
const cookieLife = 43_200_000;

interface Remembered {
  readonly id: string;
  readonly share: OpenedShare;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
}

/** Keeps the share over a reload of the page; the cookie gives access to its media. No secret is kept. */
export function rememberShare(id: string, share: OpenedShare | undefined): void {
  const remembered = share && ({ id, share, openedAt: Date.now() } satisfies Remembered);
  if (remembered === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(remembered));
}

/** @returns undefined when it is another share, or the cookie has expired */
export function rememberedShare(id: string): OpenedShare | undefined {
  const found = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Remembered | null;
  const isOf = found?.id === id && Date.now() - found.openedAt < cookieLife;
  return isOf ? found.share : undefined;
}
