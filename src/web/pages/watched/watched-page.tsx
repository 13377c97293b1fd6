import { auditApi, bodyOf, type Watched } from '../../api-client.ts';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { useFilters } from '../../ui/lists/list-search.tsx';
import type { RowContent } from '../../ui/lists/row.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { pageLimit, usePages, type Page, type PageOptions } from '../../ui/lists/use-pages.ts';
import { Message } from '../../ui/notices.tsx';
import { listText } from '../../ui/words.ts';
import { withCode } from '../../ui/parts.tsx';
import { SettingsFrame, TitledSection } from '../../ui/section.tsx';
import { dayText, gateZone, timeText } from '../../ui/time-text.ts';
import { Choice } from '../../ui/forms/field.tsx';
import { Icon } from '../../ui/drawings.tsx';
import { useProfile } from '../../profile.ts';
import { boundsOf, dayAfter, dayAt, dayIn } from '../../ui/days.ts';
import { useOnReturn } from '../../ui/page-hooks.ts';
import { useState } from 'preact/hooks';
import { gatePath } from '../../path-prefix.ts';
import { visitsOf, type Visit } from './visits.ts';
import { fill, text } from '../../text.ts';

const words = text.watched;

export function WatchedPage() {
  return (
    <SettingsFrame page="audit" title={words.title}>
      <WatchedList />
    </SettingsFrame>
  );
}

const rowOf = ({ key, user, source, addresses, cameras, from, to, stretches }: Visit): RowContent => ({
  key,
  // A visitor of a share has no name.
  title: fill(words.watched, {
    user: source === 'share' ? words.visitor : user,
    camera: camerasText(cameras),
  }),
  line: kindsText(stretches),
  facts: [spanText(from, to), wayText(source), addresses.join(', ')],
  more: stretches.length > 1 && (
    <details class="more">
      <summary>{words.details}</summary>
      <ul>
        {stretches.map((stretch) => (
          <li key={stretch.id}>
            {cameraText(stretch.camera)} · {shownText(stretch)} · {spanText(stretch.from, stretch.to)}
          </li>
        ))}
      </ul>
    </details>
  ),
});

/** Cameras named in a row. More are only counted. */
const mostNamed = 3;

function camerasText(cameras: readonly string[]): string {
  return cameras.length > mostNamed
    ? fill(words.several, { count: cameras.length })
    : listText(cameras.map(cameraText));
}

function spanText(from: number, to: number): string {
  return to - from < 60 ? timeText(from) : fill(words.stretch, { from: timeText(from), to: timeText(to) });
}

function kindsText(stretches: readonly Watched[]): string {
  const [first] = stretches;
  if (first !== undefined && stretches.length === 1) return shownText(first);
  const live = stretches.filter(({ kind }) => kind === 'live').length;
  if (live === stretches.length) return words.live;
  return live === 0 ? words.recordings : words.both;
}

function shownText({ kind, footage }: Pick<Watched, 'kind' | 'footage'>): string {
  if (kind === 'live') return words.live;
  return footage === null
    ? words.recorded
    : fill(words.recording, { from: timeText(footage.from), to: timeText(footage.to) });
}

function wayText(source: string): string {
  const ways: Readonly<Record<string, string>> = words.ways;
  return ways[source] ?? source;
}

/** Each visit in which someone watched cameras on a day, the newest first. What is chosen is in the address. */
function WatchedList() {
  const zone = gateZone();
  const today = dayAt(Date.now() / 1000, zone);
  const [{ day: asked, person: user, camera }, change] = useFilters('day', 'person', 'camera');
  const day = dayIn(asked, today);
  const [people, addPeople] = useState<readonly string[]>([]);
  const [isRecorded, setRecorded] = useState(true);
  const read = async (next: string | null, { wanted }: PageOptions): Promise<Page<Watched, string>> => {
    const { begin, end } = boundsOf(day, zone);
    const query = {
      since: String(begin),
      until: String(end),
      limit: pageLimit(wanted),
      ...(user !== '' && { user }),
      ...(camera !== '' && { camera }),
      ...(next !== null && { before: next }),
    };
    const page = await bodyOf(auditApi.watched.$get({ query }));
    setRecorded(page.recorded);
    addPeople((before) => [...new Set([...before, ...page.records.map((record) => record.user)])].sort());
    return { items: page.records, next: page.next };
  };
  const { list, loadMore, refresh } = usePages(read, [day, user, camera]);
  useOnReturn(refresh);
  const { allowed_cameras: cameras } = useProfile();
  const named = people.includes(user) ? people : [...people, user];
  return (
    <TitledSection page id="watched" title={words.title}>
      <div class="day-filters">
        <DayButton name="up" label={words.previous} onClick={() => change({ day: dayAfter(day, -1) })} />
        <strong>{dayText(day, { weekday: 'long', day: 'numeric', month: 'long' })}</strong>
        <DayButton
          name="down"
          label={words.next}
          disabled={day >= today}
          onClick={() => change({ day: dayAfter(day, 1) })}
        />
        <Choice
          label={words.person}
          value={user}
          options={[['', words.everyone], ...named.filter(Boolean).map((name) => [name, name] as const)]}
          onChange={({ currentTarget }) => change({ person: currentTarget.value })}
        />
        <Choice
          label={words.camera}
          value={camera}
          options={[['', words.every], ...inOrder(cameras).map((name) => [name, cameraText(name)] as const)]}
          onChange={({ currentTarget }) => change({ camera: currentTarget.value })}
        />
      </div>
      <Table
        what={words.what}
        list={{ ...list, items: visitsOf(list.items) }}
        onRetry={loadMore}
        onMore={loadMore}
        empty={
          <Message title={isRecorded ? words.none : words.off}>
            {!isRecorded && <p>{withCode(words.offHint)}</p>}
          </Message>
        }
        caption={words.caption}
        shown={rowOf}
      />
      <p class="below-rows">
        <a href={gatePath('/settings/audit')}>← {words.toAudit}</a>
      </p>
    </TitledSection>
  );
}

interface DayButtonProps {
  readonly name: 'up' | 'down';
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function DayButton({ name, label, ...button }: DayButtonProps) {
  return (
    <button type="button" class="quiet icon turned" aria-label={label} title={label} {...button}>
      <Icon name={name} />
    </button>
  );
}
