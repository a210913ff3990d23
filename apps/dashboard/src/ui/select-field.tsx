import { changeParameters, route } from '../shell/router.js';

export type SelectOption<T extends string = string> = readonly [value: T, name: string];

export interface SelectFieldProps {
  /** Its name for screen readers. */
  readonly label: string;
  /** Of the page's address: has the choice. */
  readonly parameter: string;
  readonly options: readonly SelectOption[];
  /** The option that is chosen while the address has none of them. Default: the empty one. */
  readonly usual?: string;
  /** Other parameters that change with it. */
  readonly also?: Readonly<Record<string, string>>;
}

/** Chooses one of several options. */
export function SelectField({ label, parameter, options, usual = '', also }: SelectFieldProps) {
  const chosen = route.value.parameters[parameter];
  return (
    <select
      aria-label={label}
      value={options.some(([value]) => value === chosen) ? chosen : usual}
      onChange={({ currentTarget }) => changeParameters({ ...also, [parameter]: currentTarget.value })}
    >
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
