export default function Page() {
  return (
    <form action="/api/packshot" method="post" encType="multipart/form-data">
      <input type="file" name="photo" accept="image/*" required />
      <button type="submit">Put it on white</button>
    </form>
  );
}
