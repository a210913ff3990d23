export function PlanPage() {
  return (
    <div class="page">
      <h1>Plan</h1>
    </div>
  );
}
