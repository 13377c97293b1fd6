import type { AccessOfRole } from '../../api-client.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { capabilities, type Capability } from '../../ui/roles/role-access.ts';
import { whyPath, type Who } from '../../ui/roles/role-paths.ts';
import { entriesOf, grantedFirst, refusalText, refusedAltogether } from './cell-text.ts';
import { fill, text } from '../../text.ts';

const words = text.viewAs;

interface MayTableProps {
  readonly who: Who;
  readonly name: string;
  readonly row: AccessOfRole;
  readonly cameras: readonly string[];
  /** When access closes, or opens. Absent when it does neither. */
  readonly turn: string | undefined;
}

/** Cameras, and what someone may do with each: every cell leads to its reason. */
export function MayTable({ who, name, row, cameras, turn }: MayTableProps) {
  const entries = entriesOf(row);
  return (
    <section aria-labelledby="may">
      <h2 id="may">{fill(words.may, { who: name })}</h2>
      <div class="may-frame">
        <table class="may-table">
          <thead>
            <tr>
              <th scope="col">{words.camera}</th>
              {capabilities.map((word) => (
                <th key={word} scope="col">
                  {words.words[word]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grantedFirst(cameras, row).map((camera) => {
              const entry = entries.get(camera);
              if (entry === undefined) return null;
              const altogether = refusedAltogether(entry);
              return (
                <tr key={camera}>
                  <th scope="row" dir="auto">
                    {cameraText(camera)}
                  </th>
                  {altogether === undefined ? (
                    capabilities.map((word) => (
                      <td key={word} data-title={words.words[word]}>
                        <Cell
                          who={who}
                          camera={camera}
                          word={word}
                          role={row.role}
                          turn={turn}
                          {...entry[word]}
                        />
                      </td>
                    ))
                  ) : (
                    <td colSpan={capabilities.length} class="whole">
                      <Cell
                        who={who}
                        camera={camera}
                        word="live"
                        role={row.role}
                        turn={turn}
                        {...entry.live}
                      />
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {row.lists.reason === 'recorder_role_unverified' && <p class="hint">{words.listsBlocked}</p>}
    </section>
  );
}

interface CellProps {
  readonly who: Who;
  readonly camera: string;
  readonly word: Capability;
  readonly role: string;
  readonly turn: string | undefined;
  readonly state: 'may' | 'closed' | 'no';
  readonly reason: string;
}

function Cell({ who, camera, word, role, turn, state, reason }: CellProps) {
  const shown =
    state === 'no'
      ? refusalText(reason, role)
      : state === 'may'
        ? turn === undefined
          ? words.yes
          : fill(words.until, { moment: turn })
        : turn === undefined
          ? words.over
          : fill(words.opens, { moment: turn });
  return (
    <a
      class={state === 'may' ? 'tag lamp' : state === 'closed' ? 'tag' : undefined}
      href={whyPath(who, { camera, to: word })}
      title={fill(words.why, { camera: cameraText(camera), word: words.words[word] })}
    >
      {shown}
    </a>
  );
}
