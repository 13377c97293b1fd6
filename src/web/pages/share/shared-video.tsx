import { useState } from 'preact/hooks';
import { ApiFailure, messageOf } from '../../api-client.ts';
import { readMedia, isShareOver } from './use-share.ts';
import { fill, text } from '../../text.ts';

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
export function SharedVideo({ files, poster, title, preload, onLost }: SharedVideoProps) {
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
