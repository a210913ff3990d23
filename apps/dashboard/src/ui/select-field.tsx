import { changeParameters, route } from '../shell/router.js';

export type SelectOption<T extends string = string> = readonly [value: T, name: string];

export interface SelectFieldProps {
  /** Its name for screen readers. */
  readonly label: string;
  /** Of the page's address: has the choice. */
  readonly parameter: string;
  readonly options: readonly SelectOption[];
  /** The option that is chosen while the address names none. Default: the empty one. */
  readonly usual?: string;
  /** Other parameters that change with it. */
  readonly also?: Readonly<Record<string, string>>;
}

/** Chooses one of several options. What the address names may be gone, and is an option then, too. */
export function SelectField({ label, parameter, options, usual = '', also }: SelectFieldProps) {
  const { [parameter]: chosen = usual } = route.value.parameters;
  const isKnown = options.some(([value]) => value === chosen);
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => changeParameters({ ...also, [parameter]: currentTarget.value })}
    >
      {(isKnown ? options : [...options, [chosen, chosen] as const]).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
