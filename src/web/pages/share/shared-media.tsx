import { useEffect, useReducer, useState, useRef } from 'preact/hooks';
import { mediaAddress, readMedia, isShareOver, type OpenedShare } from './use-share.ts';
import { partsOf, pathOfPart } from './share-parts.ts';
import { fill, text } from '../../text.ts';
import { momentText, timeText } from '../../ui/time-text.ts';
import { decoded } from '../../ui/cameras/pictures.ts';
import { useVisible } from '../../ui/page-hooks.ts';
import { ApiFailure, messageOf } from '../../api-client.ts';

interface SharedMediaProps {
  readonly share: OpenedShare;
  readonly title: string;
  /** Called when Postern no longer returns the media. */
  readonly onLost: () => void;
}

/** Everything in a share: live pictures and recordings. */
export function SharedMedia(props: SharedMediaProps) {
  const { share, title, onLost } = props;
  const { media, from, until, expires_at: end } = share;
  usePassed([from, until, end], onLost);
  if (share.kind === 'camera') return <OfCamera {...props} />;
  const files = [media.download, media.video].filter((path) => path !== undefined).map(mediaAddress);
  const picture = media.thumbnail === undefined ? undefined : mediaAddress(media.thumbnail);
  if (files.length > 0)
    return <SharedVideo files={files} poster={picture} title={title} preload="metadata" onLost={onLost} />;
  return <Picture thumbnail={picture} title={title} onLost={onLost} />;
}

/** The snapshot of an event without a clip, if the recorder has one. */
function Picture(props: {
  readonly thumbnail: string | undefined;
  readonly title: string;
  readonly onLost: () => void;
}) {
  const { thumbnail, title, onLost } = props;
  const snapshot = thumbnail?.replace(/thumbnail\.jpg$/, 'snapshot.jpg');
  const [isThere, setThere] = useState(true);
  return (
    <img
      class="shared-picture"
      src={isThere ? snapshot : thumbnail}
      alt={fill(text.sharePage.picture, { title })}
      onError={() => (isThere ? setThere(false) : onLost())}
    />
  );
}

function OfCamera({ share, title, onLost }: SharedMediaProps) {
  const words = text.sharePage;
  const { media, from, until } = share;
  const [chosen, choose] = useState(0);
  const now = Date.now() / 1000;
  const parts =
    media.video === undefined && media.download === undefined ? [] : partsOf(from, Math.min(until, now));
  const part = parts[chosen] ?? parts[0];
  const isLive = media.live !== undefined && now < until;
  const addressOf = (path: string) => mediaAddress(part === undefined ? path : pathOfPart(path, part));
  return (
    <>
      {isLive && (
        <section aria-labelledby="live">
          <h2 id="live">{words.live}</h2>
          <SharedLive url={mediaAddress(media.live ?? '')} title={title} onLost={onLost} />
        </section>
      )}
      {now < from ? (
        <p class="notice">
          {words.notYet} {timeText(from)}.
        </p>
      ) : (
        <section aria-labelledby="recording">
          <h2 id="recording">{words.recording}</h2>
          {part === undefined ? (
            <p class="placeholder">{words.nothingYet}</p>
          ) : (
            <>
              {parts.length > 1 && (
                <label class="part">
                  {words.part}
                  <select
                    value={String(chosen)}
                    onChange={(event) => choose(Number(event.currentTarget.value))}
                  >
                    {parts.map(({ start }, place) => (
                      <option key={start} value={String(place)}>
                        {momentText(start, true)}
                      </option>
                    ))}
                  </select>
                </label>
              )}
              <SharedVideo
                key={part.start}
                files={[media.download, media.video].filter((path) => path !== undefined).map(addressOf)}
                poster={media.thumbnail === undefined ? undefined : addressOf(media.thumbnail)}
                title={title}
                // The recorder assembles it on request.
                preload="none"
                onLost={onLost}
              />
            </>
          )}
        </section>
      )}
    </>
  );
}

// Milliseconds: the longest delay of a timer.
const longestWait = 2_147_483_647;

/** Renders the page again as each moment passes. @param moments seconds since the epoch @param onPassed called for each */
function usePassed(moments: readonly number[], onPassed: () => void): void {
  const [looks, look] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const now = Date.now();
    const next = Math.min(...moments.map((seconds) => seconds * 1000).filter((moment) => moment > now));
    if (next === Infinity) return undefined;
    const timer = setTimeout(
      () => {
        if (Date.now() >= next) onPassed();
        look(undefined);
      },
      Math.min(next - now, longestWait),
    );
    return () => clearTimeout(timer);
  }, [looks, ...moments]);
}

// Milliseconds until the next request: after a picture, and after a failure.
const pause = 1_000;
const longPause = 5_000;

interface SharedLiveProps {
  readonly url: string;
  readonly title: string;
  /** Called when Postern no longer returns pictures. */
  readonly onLost: () => void;
}

/** Pictures of a camera, one after the other, while the page is visible. */
function SharedLive({ url, title, onLost }: SharedLiveProps) {
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
  // The previous picture is shown until this one is.
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

interface SharedVideoProps {
  /** URLs of the same video, in the order in which a browser tries them. */
  readonly files: readonly string[];
  readonly poster: string | undefined;
  readonly title: string;
  readonly preload: 'metadata' | 'none';
  /** Called when Postern no longer returns the media. */
  readonly onLost: () => void;
}

/** A video that shows why it does not play, and can be retried. */
function SharedVideo({ files, poster, title, preload, onLost }: SharedVideoProps) {
  const words = text.sharePage;
  const [tries, setTries] = useState(0);
  const [failure, setFailure] = useState<string>();
  const [first = ''] = files;
  const fail = async () => {
    const error = await reasonOf(first);
    if (isShareOver(error)) onLost();
    setFailure(messageFor(error));
  };
  return (
    <div class="shared-video">
      {failure === undefined ? (
        <video
          key={tries}
          controls
          playsInline
          preload={preload}
          poster={poster}
          aria-label={fill(words.video, { title })}
          onError={() => void fail()}
        >
          {files.map((file, place) => (
            <source
              key={file}
              src={file}
              type={file.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : undefined}
              // Set on the last source only: no other is left to play.
              onError={place === files.length - 1 ? () => void fail() : undefined}
            />
          ))}
        </video>
      ) : (
        <>
          {poster !== undefined && (
            <img class="shared-picture" src={poster} alt={fill(words.picture, { title })} />
          )}
          <p role="alert" class="notice failure">
            {failure}{' '}
            <button
              type="button"
              class="secondary outline"
              onClick={() => {
                setFailure(undefined);
                setTries(tries + 1);
              }}
            >
              {text.actions.tryAgain}
            </button>
          </p>
        </>
      )}
      <p>
        <a href={first} download target="_top">
          {words.download}
        </a>
      </p>
    </div>
  );
}

/** @returns why the browser plays nothing, which it hides from pages, or `undefined` if it cannot play this format */
async function reasonOf(url: string): Promise<unknown> {
  const unread = new AbortController();
  try {
    await readMedia(url, unread.signal);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    unread.abort();
  }
}

function messageFor(error: unknown): string {
  const words = text.sharePage;
  if (error === undefined) return words.notPlayable;
  if (!(error instanceof ApiFailure) || error.status === 0) return messageOf(error);
  return error.status === 404 || error.status === 400
    ? words.noVideo
    : fill(words.fails, { status: error.status });
}
