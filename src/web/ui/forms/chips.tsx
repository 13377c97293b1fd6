interface ChipsProps<Value extends string | number> {
  readonly legend: string;
  /** `radio`: one of them. */
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly options: ReadonlyArray<readonly [value: Value, words: string]>;
  /** What is on at first. */
  readonly chosen: readonly Value[];
  readonly onChoose?: (value: Value) => void;
}

/** A few choices that are seen at once. */
export function Chips<Value extends string | number>(props: ChipsProps<Value>) {
  const { legend, type, name, options, chosen, onChoose } = props;
  return (
    <fieldset class="hinted">
      <legend>{legend}</legend>
      <div class="chips">
        {options.map(([value, words]) => (
          <label key={value} class="chip">
            <input
              type={type}
              name={name}
              value={value}
              defaultChecked={chosen.includes(value)}
              onChange={() => onChoose?.(value)}
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
