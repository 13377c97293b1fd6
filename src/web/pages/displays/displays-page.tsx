import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { DisplayList } from '../../ui/displays/display-list.tsx';

export function DisplaysPage() {
  return (
    <SettingsFrame page="displays">
      <DisplayList isOfAll />
    </SettingsFrame>
  );
}
