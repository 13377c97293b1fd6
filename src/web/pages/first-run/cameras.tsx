import { useState } from 'preact/hooks';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { pathTo } from '../../path-prefix.ts';

// More would need a list; Home has one.
const most = 10;

/** A small picture of each camera; its name where it has no picture. */
export function Cameras({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="small-tiles">
      {names.slice(0, most).map((name) => (
        <SmallTile key={name} name={name} />
      ))}
      {names.length > most && <li class="badge">+ {names.length - most}</li>}
    </ul>
  );
}

function SmallTile({ name }: { readonly name: string }) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <li>
      {hasFailed ? (
        <span dir="auto">{cameraText(name)}</span>
      ) : (
        <img
          src={pathTo(`/api/${encodeURIComponent(name)}/latest.jpg?height=180`)}
          alt={cameraText(name)}
          title={cameraText(name)}
          width="160"
          height="90"
          onError={() => setFailed(true)}
        />
      )}
    </li>
  );
}
