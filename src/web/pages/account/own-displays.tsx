import { DisplayList } from '../../ui/displays/display-list.tsx';

/** The user's own displays, with all actions. */
export function OwnDisplays() {
  return <DisplayList isOfAll={false} />;
}
