// More would need a list; the configuration page has one.
const most = 24;

export function Cameras({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="badges">
      {names.slice(0, most).map((name) => (
        <li class="badge" key={name} dir="auto">
          {name}
        </li>
      ))}
      {names.length > most && <li class="badge">+ {names.length - most}</li>}
    </ul>
  );
}
