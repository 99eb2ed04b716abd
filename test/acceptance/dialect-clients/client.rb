# Ruby's own Net::HTTP. Usage: BASE_URL=… API_KEY=… client.rb PHOTO FOLDER
require 'base64'
require 'json'
require 'net/http'
require 'uri'

BASE_URL = ENV.fetch('BASE_URL')
API_KEY = ENV.fetch('API_KEY')
photo, folder = ARGV

def send_request(request)
  request['X-Api-Key'] = API_KEY
  uri = request.uri
  Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', open_timeout: 20, read_timeout: 20) do |http|
    http.request(request).body
  end
end

def post(path)
  Net::HTTP::Post.new(URI(BASE_URL + path))
end

def with_form(path, photo, field, fields = {})
  request = post(path)
  File.open(photo, 'rb') do |file|
    request.set_form(fields.to_a + [[field, file]], 'multipart/form-data')
    send_request(request)
  end
end

def save(folder, name, content)
  File.binwrite(File.join(folder, name), content)
end

save(folder, 'removebg.png', with_form('/v1.0/removebg', photo, 'image_file', 'size' => 'auto'))
encoded = Base64.strict_encode64(File.binread(photo))
urlencoded = post('/v1.0/removebg')
urlencoded.set_form_data('image_file_b64' => encoded, 'size' => 'preview', 'bg_color' => '81d4fa', 'format' => 'jpg')
save(folder, 'color.jpg', send_request(urlencoded))
json = post('/v1.0/removebg')
json['Content-Type'] = 'application/json'
json['Accept'] = 'application/json'
json.body = JSON.generate('image_file_b64' => Base64.encode64(File.binread(photo)), 'crop' => true)
save(folder, 'removebg.json', send_request(json))
save(folder, 'account.json', send_request(Net::HTTP::Get.new(URI("#{BASE_URL}/v1.0/account"))))
save(folder, 'segment.png', with_form('/v1/segment', photo, 'image_file'))
save(folder, 'rembg.png', with_form('/api/remove', photo, 'file'))
empty = post('/v1.0/removebg')
empty.set_form_data('size' => 'auto')
save(folder, 'error.json', send_request(empty))
