import { Switch } from '../forms/field.tsx';
import { capabilities, type Capability } from './role-access.ts';
import { text } from '../../text.ts';

/** A switch for each thing that a role, or a token of it, may do. */
export function MayFields({ may, offered = capabilities, legend, autofocus = false }: MayFieldsProps) {
  return (
    <fieldset class="hinted">
      <legend>{legend}</legend>
      {offered.map((capability, index) => (
        <Switch
          key={capability}
          label={text.capabilities.names[capability]}
          hint={text.mayFields.means[capability]}
          name="may"
          value={capability}
          autofocus={autofocus && index === 0}
          defaultChecked={may.includes(capability)}
        />
      ))}
    </fieldset>
  );
}

interface MayFieldsProps {
  /** Those that are on. */
  readonly may: readonly Capability[];
  readonly offered?: readonly Capability[];
  readonly legend: string;
  readonly autofocus?: boolean;
}
