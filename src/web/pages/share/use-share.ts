import { useEffect, useRef, useState } from 'preact/hooks';
import type { InferResponseType } from 'hono/client';
import { ApiFailure, codeIn, bodyOf } from '../../api-client.ts';
import { callsBelow } from '../../calls.ts';
import { gatePath } from '../../path-prefix.ts';
import { text } from '../../text.ts';

type ShareState =
  | { readonly kind: 'opening' }
  /** The link lacks its secret. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'open'; readonly share: OpenedShare }
  | { readonly kind: 'over' }
  | { readonly kind: 'failed'; readonly error: unknown };

// Milliseconds: a share that is over is not reopened again and again.
const reopenedAfter = 30_000;

/**
 * Opens a share with the secret in the address, and again when its cookie has expired.
 * @returns the state; a function that opens it with a password; one that retries; and one to call when Postern returns no
 * media
 */
export function useShare(id: string) {
  const [state, setState] = useState<ShareState>({ kind: 'opening' });
  const secret = useRef(secretHere());
  const reopenedAt = useRef(Number.NEGATIVE_INFINITY);

  const end = () => {
    rememberShare(id, undefined);
    hideSecret();
    setState({ kind: 'over' });
  };
  const open = async (password?: string) => {
    try {
      const share = await openShare(id, {
        secret: secret.current,
        ...(password === undefined ? {} : { password }),
      });
      rememberShare(id, share);
      hideSecret();
      setState({ kind: 'open', share });
    } catch (error) {
      if (isShareOver(error)) end();
      else if (error instanceof ApiFailure && codeIn(error.body) === 'share_password_needed')
        setState({ kind: 'locked' });
      else throw error;
    }
  };
  /** After a reload: one of its parts shows whether the share is still active. */
  const look = async (share: OpenedShare) => {
    const { thumbnail, live } = share.media;
    const seen = thumbnail ?? live;
    const unread = new AbortController();
    try {
      if (seen !== undefined) await readMedia(mediaAddress(seen), unread.signal);
    } catch (error) {
      if (isShareOver(error)) return end();
    } finally {
      unread.abort();
    }
    setState({ kind: 'open', share });
  };
  const begin = () => {
    const known = rememberedShare(id);
    const fail = (error: unknown) => setState({ kind: 'failed', error });
    setState({ kind: 'opening' });
    if (secret.current !== '') void open().catch(fail);
    else if (known === undefined) setState({ kind: 'incomplete' });
    else void look(known);
  };
  const onLost = () => {
    if (state.kind !== 'open') return;
    if (secret.current === '') return void look(state.share);
    const now = performance.now();
    if (now - reopenedAt.current < reopenedAfter) return;
    reopenedAt.current = now;
    void open().catch(() => undefined);
  };

  useEffect(() => {
    // Another link of the same share does not reload the page.
    const onHash = () => {
      if (secretHere() === '') return;
      secret.current = secretHere();
      begin();
    };
    addEventListener('hashchange', onHash);
    begin();
    return () => removeEventListener('hashchange', onHash);
  }, []);
  return { state, open, retry: begin, onLost };
}

function secretHere(): string {
  return location.hash.slice(1);
}

/** Removes the secret from the address, so that sharing or showing the page does not leak it. A reload needs it until then. */
function hideSecret(): void {
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
}

const api = callsBelow('/postern/api/shares', request);

/** The contents of a share, as Postern returns them for the secret. Times are seconds since the epoch. */
export type OpenedShare = Omit<InferResponseType<(typeof api)[':id']['open']['$post'], 200>, 'media'> & {
  /** Paths relative to the page's directory. */
  readonly media: Partial<Record<'video' | 'thumbnail' | 'live' | 'download', string>>;
};

/** @throws ApiFailure */
function openShare(
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

/** Whether Postern reports that the share is over or does not exist. */
export function isShareOver(error: unknown): boolean {
  return error instanceof ApiFailure && codeIn(error.body) === 'share_over';
}

/** Asks without the usual error handling, which leads to the login: a visitor with a link has no account. */
async function request(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error' });
  } catch {
    throw new ApiFailure(0, text.progress.noAnswer);
  }
}

const key = 'postern.share';

// The longest life of the cookie in milliseconds. No media load after that.
const cookieLife = 43_200_000;

interface Remembered {
  readonly id: string;
  readonly share: OpenedShare;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
}

/** Keeps the share over a reload of the page; the cookie gives access to its media. No secret is kept. */
function rememberShare(id: string, share: OpenedShare | undefined): void {
  const remembered = share && ({ id, share, openedAt: Date.now() } satisfies Remembered);
  if (remembered === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(remembered));
}

/** @returns the kept share, or `undefined` if it is another one, or the cookie has expired */
function rememberedShare(id: string): OpenedShare | undefined {
  const found = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Remembered | null;
  const isOf = found?.id === id && Date.now() - found.openedAt < cookieLife;
  return isOf ? found.share : undefined;
}
