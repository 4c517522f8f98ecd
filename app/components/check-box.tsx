import classes from "./check-box.module.css";

/** A check box that looks as the components' own does, for a twentieth of its script. */
export function CheckBox({
  label,
  checked,
  onChange,
  ...path
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** By which a form finds it. */
  "data-path"?: string;
}) {
  return (
    <label className={classes.label}>
      <input
        type="checkbox"
        className={classes.box}
        {...path}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
