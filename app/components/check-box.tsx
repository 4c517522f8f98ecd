import classes from "./check-box.module.css";

/** A check box that looks like Mantine's, with a twentieth of the script. */
export function CheckBox({
  label,
  checked,
  onChange,
  ...path
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Lets a form find it. */
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
