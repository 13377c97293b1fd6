import { useEffect, useRef, useState } from 'preact/hooks';
import { manyCameras, cameraText } from './camera-names.ts';
import { Switch } from '../forms/field.tsx';
import { numberText } from '../words.ts';
import { fill, text } from '../../text.ts';
import { pathTo } from '../../path-prefix.ts';

interface CameraChoiceProps {
  readonly cameras: readonly string[];
  /** The values that are on at first. */
  readonly chosen: readonly string[];
  /** Help below a camera. */
  readonly hintOf?: (camera: string) => string | undefined;
  /** Takes the focus at first. Absent when something else has it. */
  readonly focus: string | undefined;
}

/** A switch for each camera, with one for all of them, and a search if they are many. */
export function CameraChoice({ cameras, chosen, hintOf = () => undefined, focus }: CameraChoiceProps) {
  const words = text.roleDialogs;
  const fields = useRef<HTMLFieldSetElement>(null);
  const [search, setSearch] = useState('');
  const [count, setCount] = useState(chosen.length);
  const inputs = () => [...(fields.current?.querySelectorAll<HTMLInputElement>('input[name=camera]') ?? [])];
  const recount = () => setCount(inputs().filter(({ checked }) => checked).length);
  // After a login in between, the fields have been filled again.
  useEffect(recount, []);
  const isFound = (camera: string) =>
    [camera, cameraText(camera)].some((name) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const found = cameras.filter(isFound);
  const areAllOn = count === cameras.length;
  const switchFound = () => {
    const turnOn = !inputs().every(({ value, checked }) => checked || !isFound(value));
    for (const input of inputs()) if (isFound(input.value)) input.checked = turnOn;
    recount();
  };
  return (
    <fieldset class="hinted camera-choice" ref={fields} onChange={recount}>
      <legend>{text.roles.cameras}</legend>
      {cameras.length === 0 && <small>{text.roles.thereAreNone}</small>}
      {cameras.length > 1 && (
        <div class="camera-tools">
          {cameras.length >= manyCameras && (
            <input
              type="search"
              aria-label={words.findCamera}
              placeholder={words.findCamera}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => setSearch(event.currentTarget.value)}
              // Enter would submit the whole form.
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            />
          )}
          <small role="status">
            {fill(words.chosenOf, { count: numberText(count), all: numberText(cameras.length) })}
          </small>
          <button type="button" class="quiet" disabled={found.length === 0} onClick={switchFound}>
            {areAllOn ? words.noneOfThem : search === '' ? words.allOfThem : words.allFound}
          </button>
        </div>
      )}
      {cameras.length > 0 && found.length === 0 && <p class="placeholder">{text.lists.nothingFound}</p>}
      <div class="camera-columns">
        {cameras.map((camera) => (
          // A hidden switch keeps its value.
          <div key={camera} hidden={!isFound(camera)}>
            <Switch
              label={cameraText(camera)}
              hint={hintOf(camera)}
              name="camera"
              value={camera}
              autofocus={camera === focus}
              defaultChecked={chosen.includes(camera)}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** From so many on, a list with a search is quicker than pictures. */
const most = 15;

interface CameraPicksProps {
  readonly cameras: readonly string[];
  readonly legend: string;
  /** The values that are on at first. */
  readonly chosen: readonly string[];
}

/** A picture of each camera to tick; the form has the ticked ones as `camera`. */
export function CameraPicks({ cameras, legend, chosen }: CameraPicksProps) {
  if (cameras.length > most) return <CameraChoice cameras={cameras} chosen={chosen} focus={undefined} />;
  return (
    <fieldset class="hinted">
      <legend>{legend}</legend>
      <div class="picks">
        {cameras.map((camera) => (
          <Pick key={camera} camera={camera} isOn={chosen.includes(camera)} />
        ))}
      </div>
    </fieldset>
  );
}

function Pick({ camera, isOn }: { readonly camera: string; readonly isOn: boolean }) {
  return (
    <label class="pick">
      <input type="checkbox" name="camera" value={camera} defaultChecked={isOn} />
      <span class="shot">
        <Shot camera={camera} />
      </span>
    </label>
  );
}

interface ShotProps {
  readonly camera: string;
  readonly loading?: 'lazy';
}

/** The newest picture of a camera, if there is one, and its name. */
export function Shot({ camera, loading }: ShotProps) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <>
      {!hasFailed && (
        <img
          src={pathTo(`/api/${encodeURIComponent(camera)}/latest.jpg?height=180`)}
          alt=""
          width="320"
          height="180"
          loading={loading}
          onError={() => setFailed(true)}
        />
      )}
      <span dir="auto">{cameraText(camera)}</span>
    </>
  );
}
