import classes from "./check-box.module.css";

/** A check box that looks like Mantine's, with a twentieth of the script. */
export function CheckBox({
  label,
  checked,
  onChange,
  ...attributes
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Lets a form find it. */
  "data-path"?: string;
  /** The dialog starts in it. */
  "data-autofocus"?: boolean;
}) {
  return (
    <label className={classes.label}>
      <input
        type="checkbox"
        className={classes.box}
        {...attributes}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
