export function DetectionsPage() {
  return (
    <div class="page">
      <h1>Detections</h1>
    </div>
  );
}
