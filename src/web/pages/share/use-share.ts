import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure, codeIn } from '../../api-client.ts';
import {
  mediaAddress,
  openShare,
  readMedia,
  rememberedShare,
  rememberShare,
  isShareOver,
  type OpenedShare,
} from './opened-share.ts';

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
 * @returns the state; a function that opens it with a password; one that retries; and one to call when the gate returns no
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
