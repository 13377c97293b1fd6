import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { cameraText } from '../cameras/camera-names.ts';
import {
  durationText,
  isRunning,
  areNoFilesServed,
  fileOf,
  mayHaveFiles,
  playlistOf,
  thumbnailOf,
  titleOf,
} from '../event-text.ts';
import { nameText } from '../words.ts';
import { Facts, type Fact } from '../section.tsx';
import { text, fill } from '../../text.ts';
import { Time, TimeAgo } from '../parts.tsx';
import { messageOf, statusOf } from '../../api-client.ts';
import { Thumbnail } from './event-card.tsx';

/** All details of an event. */
export function EventDetails({ event }: { readonly event: EventRecord }) {
  const words = text.events;
  const score = event.data['top_score'] ?? event.data['score'];
  const yesOrNo = (is: boolean) => (is ? words.yes : words.no);
  const facts: readonly Fact[] = [
    [words.camera, cameraText(event.camera)],
    [
      words.started,
      <>
        <Time seconds={event.start_time} /> · <TimeAgo seconds={event.start_time} />
      </>,
    ],
    [
      words.ended,
      event.end_time === null ? isRunning(event) ? words.notEnded : null : <Time seconds={event.end_time} />,
    ],
    [words.duration, event.end_time === null ? null : (durationText(event) ?? null)],
    [words.zones, event.zones.map(nameText).join(', ') || words.noZones],
    [words.score, typeof score === 'number' ? `${Math.round(score * 100)} %` : null],
  ];
  const more: readonly Fact[] = [
    [words.clip, yesOrNo(event.has_clip)],
    [words.snapshot, yesOrNo(event.has_snapshot)],
    [words.kept, yesOrNo(event.retain_indefinitely)],
    [words.falsePositive, event.false_positive === true ? words.yes : null],
    [words.detector, [event.detector_type, event.model_type].filter(Boolean).join(', ') || null],
    [words.model, event.model_hash],
    [words.plusId, event.plus_id],
    [words.id, event.id],
  ];
  return (
    <>
      <div class="event-details">
        <EventMedia key={event.id} event={event} />
        <Facts facts={facts} />
      </div>
      <details>
        <summary>{words.more}</summary>
        <Facts facts={more} />
        <h3>{words.detectorData}</h3>
        <pre tabIndex={0}>{JSON.stringify(event.data, undefined, 2)}</pre>
      </details>
    </>
  );
}

/** The clip and the snapshot of an event, if any, or else its thumbnail. */
export function EventMedia({ event }: { readonly event: EventRecord }) {
  const words = text.events;
  const hasClip = event.has_clip && mayHaveFiles(event);
  const hasSnapshot = event.has_snapshot && mayHaveFiles(event);
  const [isClipChosen, chooseClip] = useState(true);
  const isClip = hasClip && (isClipChosen || !hasSnapshot);
  const choice = (name: string, clip: boolean) => (
    <button type="button" aria-pressed={isClip === clip} onClick={() => chooseClip(clip)}>
      {name}
    </button>
  );
  return (
    <div class="event-media">
      {hasClip && hasSnapshot && (
        <div class="seg" role="group" aria-label={words.media}>
          {choice(words.clip, true)}
          {choice(words.snapshot, false)}
        </div>
      )}
      {isClip ? (
        <Tried key="clip" show={(tries) => <Clip key={tries.count} event={event} {...tries} />} />
      ) : hasSnapshot ? (
        <Tried key="snapshot" show={(tries) => <Snapshot key={tries.count} event={event} {...tries} />} />
      ) : (
        <Thumbnail event={event} />
      )}
      {areNoFilesServed() && (event.has_clip || event.has_snapshot) && (
        <p>
          <small>{words.noRecorder}</small>
        </p>
      )}
    </div>
  );
}

interface Tries {
  readonly count: number;
  readonly failure: string | undefined;
  readonly onFailure: (message: string) => void;
}

/** Shows an error, with a button to retry. */
function Tried({ show }: { readonly show: (tries: Tries) => preact.VNode }) {
  const [count, setCount] = useState(0);
  const [failure, setFailure] = useState<string>();
  const again = () => {
    setFailure(undefined);
    setCount(count + 1);
  };
  return (
    <>
      {show({ count, failure, onFailure: setFailure })}
      {failure !== undefined && (
        <p role="alert" class="notice failure">
          {failure}{' '}
          <button type="button" class="secondary outline" onClick={again}>
            {text.actions.tryAgain}
          </button>
        </p>
      )}
    </>
  );
}

function Clip({ event, failure, onFailure }: { readonly event: EventRecord } & Tries) {
  const words = text.events;
  const video = useRef<HTMLVideoElement>(null);
  useEffect(
    () => () => {
      // Without this, the browser keeps loading an invisible video.
      video.current?.replaceChildren();
      video.current?.load();
    },
    [],
  );
  const clip = fileOf(event, 'clip.mp4');
  const fail = async () =>
    onFailure(await reasonOf(clip, { missing: words.noClip, unusable: words.notPlayable }));
  return (
    <>
      {failure === undefined ? (
        <video
          ref={video}
          controls
          autoPlay={!matchMedia('(prefers-reduced-motion: reduce)').matches}
          muted
          playsInline
          preload="metadata"
          poster={event.has_snapshot ? fileOf(event, 'snapshot.jpg') : thumbnailOf(event)}
          aria-label={fill(words.clipOf, { title: titleOf(event), camera: cameraText(event.camera) })}
          onError={() => void fail()}
        >
          <source src={clip} />
          <source
            src={playlistOf(event)}
            type="application/vnd.apple.mpegurl"
            // Set on the last source only: no other is left to play.
            onError={() => void fail()}
          />
        </video>
      ) : (
        <Thumbnail event={event} />
      )}
      <p>
        <a href={clip} download={`${event.camera}-${event.id}.mp4`} target="_top">
          {words.downloadClip}
        </a>
      </p>
    </>
  );
}

function Snapshot({ event, failure, onFailure }: { readonly event: EventRecord } & Tries) {
  const words = text.events;
  if (failure !== undefined) return <Thumbnail event={event} />;
  const url = fileOf(event, 'snapshot.jpg');
  const fail = async () =>
    onFailure(await reasonOf(url, { missing: words.noSnapshot, unusable: words.notShown }));
  return (
    <img
      src={url}
      alt={fill(words.snapshotOf, { title: titleOf(event), camera: cameraText(event.camera) })}
      onError={() => void fail()}
    />
  );
}

/** Finds out why the browser shows nothing of a file: browsers hide the reason from pages. */
async function reasonOf(
  url: string,
  { missing, unusable }: { readonly missing: string; readonly unusable: string },
): Promise<string> {
  try {
    const status = await statusOf(url);
    if (status < 400) return unusable;
    if (status === 404 || status === 400) return missing;
    return status === 403 ? text.events.mayNotSee : text.events.recorderFails;
  } catch (error) {
    return messageOf(error);
  }
}
