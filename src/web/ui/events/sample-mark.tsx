import { gatePath } from '../../path-prefix.ts';
import { isSample } from '../has-recorder.ts';
import { useProfile } from '../../profile.ts';
import { text } from '../../text.ts';

/** Marks the page's events as made up, if they are. */
export function SampleMark() {
  const isAdmin = useProfile().role === 'admin';
  if (!isSample) return null;
  const { says, action } = text.attention.sample_data;
  return (
    <p class="notice" role="note">
      {says} {isAdmin && <a href={gatePath('/first-run')}>{action}</a>}
    </p>
  );
}
