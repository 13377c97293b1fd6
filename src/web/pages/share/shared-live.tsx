import { useEffect, useRef, useState } from 'preact/hooks';
import { readMedia, isShareOver } from './opened-share.ts';
import { decoded } from '../../ui/cameras/pictures.ts';
import { fill, text } from '../../text.ts';
import { useVisible } from '../../ui/page-hooks.ts';

// Milliseconds until the next request: after a picture, and after a failure.
const pause = 1_000;
const longPause = 5_000;

interface SharedLiveProps {
  readonly url: string;
  readonly title: string;
  /** The gate returns no pictures anymore. */
  readonly onLost: () => void;
}

/** Pictures of a camera, one after the other, while the page is visible. */
export function SharedLive({ url, title, onLost }: SharedLiveProps) {
  const words = text.sharePage;
  const isVisible = useVisible();
  const [picture, setPicture] = useState<string>();
  const [failed, setFailed] = useState(false);
  const lost = useRef(onLost);
  lost.current = onLost;
  useEffect(() => {
    if (!isVisible) return undefined;
    const controller = new AbortController();
    void follow(url, controller.signal, (next) => {
      setFailed(typeof next !== 'string');
      if (typeof next === 'string') setPicture(next);
      else if (isShareOver(next)) lost.current();
    });
    return () => controller.abort();
  }, [isVisible, url]);
  // The former picture is shown until this one is.
  useEffect(
    () => () => void (picture !== undefined && setTimeout(() => URL.revokeObjectURL(picture), pause)),
    [picture],
  );
  return (
    <div class="shared-live">
      {picture === undefined ? (
        <div class="shared-picture" aria-busy={!failed} />
      ) : (
        <img class="shared-picture" src={picture} alt={fill(words.livePicture, { title })} />
      )}
      <p role="status">
        <span class={isVisible && !failed && picture !== undefined ? 'on-air' : undefined}>
          {!isVisible
            ? words.paused
            : failed
              ? words.noPicture
              : picture === undefined
                ? words.connecting
                : words.eachSecond}
        </span>
      </p>
    </div>
  );
}

/** @param onNext is called with the URL of each picture, or with the error */
async function follow(url: string, signal: AbortSignal, onNext: (next: unknown) => void): Promise<void> {
  while (!signal.aborted) {
    const next: unknown = await readMedia(`${url}?h=720`, signal)
      .then((response) => response.blob())
      .then(decoded)
      .catch((error: unknown) => error);
    if (signal.aborted) {
      if (typeof next === 'string') URL.revokeObjectURL(next);
      return;
    }
    onNext(next);
    await new Promise((resolve) => setTimeout(resolve, typeof next === 'string' ? pause : longPause));
  }
}
