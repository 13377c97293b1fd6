import { useState } from 'preact/hooks';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { secondsOf } from '../../ui/explore-search.ts';
import { localTime, browserZone, gateZone, isForeign } from '../../ui/time-text.ts';
import { fieldOf } from '../../ui/forms/form-action.ts';
import { capabilities, type Capability } from '../../ui/roles/role-access.ts';
import { valueOf, whoOf, type Question } from './question.ts';
import { text } from '../../text.ts';

const words = text.why;

/** Who and what can be asked about. */
export interface Choices {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly cameras: readonly string[];
}

interface QuestionFormProps {
  readonly choices: Choices;
  readonly asked: Partial<Question>;
  readonly onAsk: (question: Question) => void;
}

export function QuestionForm({ choices, asked, onAsk }: QuestionFormProps) {
  const { users, roles, cameras } = choices;
  const [isNow, setNow] = useState(asked.at === undefined);
  const chosen = asked.who && valueOf(asked.who);
  const whoOptions = (names: readonly string[], whoIs: (name: string) => Question['who']) =>
    names.map((name) => {
      const value = valueOf(whoIs(name));
      return (
        <option key={value} value={value} selected={value === chosen}>
          {name}
        </option>
      );
    });
  return (
    <form
      class="question"
      aria-label={words.form}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        onAsk({
          who: whoOf(fieldOf(fields, 'who')),
          camera: fieldOf(fields, 'camera'),
          to: fieldOf(fields, 'to') as Capability,
          at: isNow ? undefined : secondsOf(fieldOf(fields, 'time')),
        });
      }}
    >
      <label>
        {words.who}
        <select name="who">
          {users.length > 0 && (
            <optgroup label={words.users}>{whoOptions(users, (user) => ({ user }))}</optgroup>
          )}
          <optgroup label={words.roles}>{whoOptions(roles, (role) => ({ role }))}</optgroup>
        </select>
      </label>
      <label>
        {words.camera}
        <select name="camera">
          {cameras.map((camera) => (
            <option key={camera} value={camera} selected={camera === asked.camera}>
              {cameraText(camera)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.to}
        <select name="to">
          {capabilities.map((word) => (
            <option key={word} value={word} selected={word === asked.to}>
              {words.todo[word]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.when}
        <select name="when" onChange={({ currentTarget }) => setNow(currentTarget.value === 'now')}>
          <option value="now" selected={isNow}>
            {words.now}
          </option>
          <option value="time" selected={!isNow}>
            {words.atTime}
          </option>
        </select>
      </label>
      {!isNow && (
        <label class="time">
          {isForeign(gateZone()) ? `${words.time} (${browserZone})` : words.time}
          <input
            type="datetime-local"
            name="time"
            required
            defaultValue={localTime(asked.at === undefined ? Date.now() : asked.at * 1000)}
          />
        </label>
      )}
      <button type="submit" class="outline">
        {words.test}
      </button>
    </form>
  );
}
