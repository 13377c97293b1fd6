import { SettingsFrame } from '../../ui/section.tsx';
import { DisplayList } from '../../ui/displays/display-list.tsx';

export function DisplaysPage() {
  return (
    <SettingsFrame page="displays">
      <DisplayList isOfAll />
    </SettingsFrame>
  );
}
