import { useState } from 'preact/hooks';
import { pathTo } from '../../path-prefix.ts';
import { CameraChoice } from './camera-choice.tsx';
import { cameraText } from './camera-names.ts';

/** From so many on, a list with a search is quicker than pictures. */
const most = 15;

interface CameraPicksProps {
  readonly cameras: readonly string[];
  readonly legend: string;
  /** What is on at first. */
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
  const [hasFailed, setFailed] = useState(false);
  return (
    <label class="pick">
      <input type="checkbox" name="camera" value={camera} defaultChecked={isOn} />
      <span class="shot">
        {!hasFailed && (
          <img
            src={pathTo(`/api/${encodeURIComponent(camera)}/latest.jpg?height=180`)}
            alt=""
            width="320"
            height="180"
            onError={() => setFailed(true)}
          />
        )}
        <span dir="auto">{cameraText(camera)}</span>
      </span>
    </label>
  );
}
